import { readFileSync } from 'node:fs';
import { expect, expectTypeOf, it } from 'vitest';
import { sandboxTypes } from '../../scripts/sandbox-types.ts';
import type * as source from '../../src/sandbox/public.ts';
import type * as kept from '../../src/sandbox/public-types.d.cts';
import type {
  ConnectedApp,
  Fault,
  Interpretations,
  LoggedRequest,
  NewToken,
  OAuthEvents,
  Row,
  Sandbox,
  SandboxClock,
  SandboxOptions,
  SandboxToken,
} from '../../src/sandbox/start.ts';

// The types that the package brings are gathered from the source by a script that reads it as text. The compiler says whether they are the same.
it('the exported types are equivalent to the types of the source', () => {
  expectTypeOf<Exclude<keyof typeof kept, 'default'>>().toEqualTypeOf<keyof typeof source>();
  expectTypeOf<typeof kept.startSandbox>().toEqualTypeOf<typeof source.startSandbox>();
  expectTypeOf<typeof kept.parseFault>().toEqualTypeOf<typeof source.parseFault>();
  expectTypeOf<typeof kept.readInterpretations>().toEqualTypeOf<typeof source.readInterpretations>();
  expectTypeOf<kept.Sandbox>().toEqualTypeOf<Sandbox>();
  expectTypeOf<kept.SandboxOptions>().toEqualTypeOf<SandboxOptions>();
  expectTypeOf<kept.Interpretations>().toEqualTypeOf<Interpretations>();
  expectTypeOf<kept.SandboxClock>().toEqualTypeOf<SandboxClock>();
  expectTypeOf<kept.SandboxToken>().toEqualTypeOf<SandboxToken>();
  expectTypeOf<kept.Fault>().toEqualTypeOf<Fault>();
  expectTypeOf<kept.LoggedRequest>().toEqualTypeOf<LoggedRequest>();
  expectTypeOf<kept.ConnectedApp>().toEqualTypeOf<ConnectedApp>();
  expectTypeOf<kept.NewToken>().toEqualTypeOf<NewToken>();
  expectTypeOf<kept.OAuthEvents>().toEqualTypeOf<OAuthEvents>();
  expectTypeOf<kept.Row>().toEqualTypeOf<Row>();
});

it('the file public-types.d.cts equals the types that the script generates from the source', () => {
  const path = new URL('../../src/sandbox/public-types.d.cts', import.meta.url);
  expect(readFileSync(path, 'utf8'), 'Stale: npm run sandbox-types').toBe(sandboxTypes());
});
