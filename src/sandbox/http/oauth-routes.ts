import { Hono } from 'hono';
import { problemReply } from '../api/pipeline.ts';
import type { Json } from '../json.ts';
import { beginSignIn, finishSignIn, type PendingConsents, peopleToChoose, type Step } from '../oauth/authorize.ts';
import { OAuthError, parseForm } from '../oauth/form.ts';
import { authorizationServerMetadata, protectedResourceMetadata } from '../oauth/metadata.ts';
import { consentPage, refusalPage } from '../oauth/pages.ts';
import { answerRegistration } from '../oauth/register.ts';
import { answerTokenRequest, revoke } from '../oauth/token.ts';
import type { SandboxPage } from '../pages/layout.ts';
import { endpointNotFound, Problem } from '../problem.ts';
import type { World } from '../world.ts';
import { addressOf, type SandboxContext, type SandboxEnv } from './context.ts';
import { personOf, rememberPerson } from './person.ts';

/** The sign-in endpoints and the two well-known documents, on the host's root. */
export function oauthRoutes(world: World): Hono<SandboxEnv> {
  const routes = new Hono<SandboxEnv>();
  const pending: PendingConsents = new Map();
  const limited = (c: SandboxContext, endpoint: 'register' | 'tokenEndpoint' | 'discovery' | 'revocation'): void => {
    const { clock, knobs, limiter } = world;
    const now = clock.now();
    if (knobs.oauthCountsForAddress) limiter.countAddress(addressOf(c), new URL(c.req.url).host, now);
    const spending = limiter.oauthSpending(endpoint, addressOf(c));
    c.set('spending', spending);
    limiter.admit(spending, 1, now);
    limiter.spend(spending, 1, now);
  };

  // Registrations are cleaned up overnight; here that is noticed at the first sign-in step of the day.
  routes.use('/oauth/*', async (_, next) => {
    world.apps.cleanUp(world.clock.now());
    await next();
  });

  routes.get('/.well-known/oauth-authorization-server', (c) => {
    limited(c, 'discovery');
    if (!world.switches.api) throw endpointNotFound();
    return json(c, authorizationServerMetadata(world));
  });
  routes.get('/.well-known/oauth-protected-resource/api/v2', (c) => {
    limited(c, 'discovery');
    if (!world.switches.api) throw endpointNotFound();
    return json(c, protectedResourceMetadata(world));
  });
  routes.post('/oauth/register', (c) => {
    limited(c, 'register');
    return json(c, answerRegistration(world, c.req.header('content-type'), c.get('body')), world.knobs.registrationStatus);
  });
  routes.post('/oauth/token', (c) => {
    limited(c, 'tokenEndpoint');
    return json(c, { ...answerTokenRequest(world, parseForm(c.req.header('content-type'), c.get('body'))) });
  });
  routes.post('/oauth/revoke', (c) => {
    limited(c, 'revocation');
    revoke(world, parseForm(c.req.header('content-type'), c.get('body')));
    // An empty object: clients need nothing of it, and some take nothing but JSON.
    return json(c, {});
  });
  routes.get('/oauth/authorize', (c) => {
    return show(world, c, beginSignIn(world, pending, new URL(c.req.url).searchParams, personOf(world, c)));
  });
  routes.post('/oauth/authorize', (c) => {
    const origin = c.req.header('origin');
    if (origin !== undefined && origin !== new URL(c.req.url).origin) {
      return html(c, refusalPage('invalid_request', 'The answer came from another site.'), 403);
    }
    const form = parseForm(c.req.header('content-type'), c.get('body'));
    const step = finishSignIn(world, pending, form);
    const user = form.get('user');
    if (step.kind === 'redirect' && user !== undefined) {
      rememberPerson(c, Number(user));
    }
    return show(world, c, step);
  });
  for (const path of ['register', 'token', 'revoke', 'authorize']) {
    routes.all(`/oauth/${path}`, () => {
      throw new Problem(405, 'method-not-allowed', 'This endpoint does not take this method.');
    });
  }

  routes.onError((error, c) => {
    if (error instanceof OAuthError) return json(c, { error: error.code, error_description: error.message }, error.status);
    const problem = error instanceof Problem ? error : new Problem(500, 'server-error', `The sandbox failed: ${String(error)}`);
    const { text = null, headers } = problemReply(world, { url: new URL(c.req.url), requestId: c.get('requestId') }, problem);
    return new Response(text, { status: problem.status, ...(headers === undefined ? {} : { headers }) });
  });
  return routes;
}

/** An answer that no cache may keep (RFC 6749 §5.1). */
function json(c: SandboxContext, body: Json, status: 200 | 201 | 400 | 401 = 200): Response {
  return c.body(JSON.stringify(body), status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
}

function html(c: SandboxContext, { html: text, headers }: SandboxPage, status: 200 | 400 | 401 | 403 | 404): Response {
  return c.body(text, status, { ...headers });
}

function show(world: World, c: SandboxContext, step: Step): Response {
  switch (step.kind) {
    case 'redirect':
      // 303 makes a post's redirect a GET for every browser.
      c.header('Cache-Control', 'no-store');
      c.header('Referrer-Policy', 'no-referrer');
      return c.redirect(step.to, c.req.method === 'POST' ? 303 : 302);
    case 'ask':
      return html(c, consentPage(step.consent, step.request, peopleToChoose(world), step.userId), 200);
    case 'refuse':
      return html(c, refusalPage(step.code, step.message), step.status);
  }
}
