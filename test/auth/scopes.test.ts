import { describe, expect, it } from 'vitest';
import { checkScopesOffered, requestedScopes } from '../../src/auth/scopes.ts';

describe('svc login', () => {
  it.each([
    [{}, ['api:read', 'api:write']],
    [{ readOnly: true }, ['api:read']],
    [{ scopes: ['api:read:projects'] }, ['api:read:projects']],
    [{ scopes: ['api:read:projects, api:write:times', 'api:read:projects'] }, ['api:read:projects', 'api:write:times']],
    [{ readOnly: true, scopes: ['api:read:times'] }, ['api:read:times']],
  ])('turns the choice %j into the scopes %j', (choice, scopes) => {
    expect(requestedScopes(choice)).toEqual(scopes);
  });

  it.each([
    ['api:destroy', /does not let apps delete/],
    ['api:destroy:projects', /does not let apps delete/],
    ['mcp:use', /AI assistants/],
    ['api:*', /not a scope/],
    ['api:read:Projects', /not a scope/],
    ['read', /not a scope/],
    ['', /needs a scope/],
  ])('refuses the scope %j', (scope, message) => {
    expect(() => requestedScopes({ scopes: [scope] })).toThrow(message);
  });

  it('refuses a write scope together with --read-only', () => {
    expect(() => requestedScopes({ readOnly: true, scopes: ['api:write:times'] })).toThrow(/contradict/);
  });
});

describe('svc login', () => {
  it('refuses a narrowed scope that the service does not list', () => {
    const offered = ['api:read', 'api:read:projects', 'api:read:times'];
    expect(() => checkScopesOffered(['api:read:project'], offered, 'acme')).toThrow(/no scope api:read:project\./);
    expect(() => checkScopesOffered(['api:read:times', 'api:write'], offered, 'acme')).not.toThrow();
  });

  it('accepts any narrowed scope when the service lists none', () => {
    expect(() => checkScopesOffered(['api:read:project'], ['api:read'], 'acme')).not.toThrow();
    expect(() => checkScopesOffered(['api:read:project'], undefined, 'acme')).not.toThrow();
  });
});
