import { seededRandom } from '@slipway/base';
import { expect, it } from 'vitest';
import { SignInTickets } from './sign-in-ticket.js';

const tickets = new SignInTickets(seededRandom(1));

it('accepts a ticket for ten minutes and returns the page', () => {
  const ticket = tickets.issue(1_000, '/console/plan');
  expect(tickets.check(ticket, 1_000 + 600_000)).toEqual({ returnTo: '/console/plan' });
  expect(tickets.check(ticket, 1_000 + 600_001)).toBeUndefined();
  expect(tickets.check(ticket, 999)).toBeUndefined();
});

it('derives other secrets from every ticket, and a PKCE verifier of 43 characters', () => {
  const [one, other] = [tickets.issue(0, '/console/'), tickets.issue(0, '/console/')].map((ticket) =>
    tickets.secretsOf(ticket),
  );
  expect(one?.verifier).toMatch(/^[\w-]{43}$/);
  expect(new Set([...Object.values(one ?? {}), ...Object.values(other ?? {})]).size).toBe(6);
});

it.each(['', '.', 'a.1.b.c', 'a.b.c.d.e'])('rejects %j', (ticket) => {
  expect(tickets.check(ticket, 0)).toBeUndefined();
});

it('rejects a changed ticket and one of another process', () => {
  const ticket = tickets.issue(0, '/console/');
  const [id = '', , page = '', code = ''] = ticket.split('.');
  expect(tickets.check([id, '5', page, code].join('.'), 5)).toBeUndefined();
  expect(new SignInTickets(seededRandom(2)).check(ticket, 0)).toBeUndefined();
});
