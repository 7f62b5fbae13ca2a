import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { killPlanes, type Plane, startPlane } from '../../packages/cli/test/support/command.js';
import { OidcIssuer } from '../../packages/cli/test/support/oidc-issuer.js';

const folder = mkdtempSync(join(tmpdir(), 'slipway-oidc-browser-'));
const at = (name: string): string => join(folder, name);
const wait = { timeout: 60_000 };
let issuer: OidcIssuer;
let plane: Plane;
let browser: Browser;

beforeAll(async () => {
  issuer = await OidcIssuer.start();
  const { url, certificateAuthority, clientId } = issuer;
  writeFileSync(
    at('authentication.json'),
    JSON.stringify({
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'AuthenticationConfiguration',
      jwt: [
        {
          issuer: { url, certificateAuthority, audiences: [clientId] },
          claimMappings: { username: { claim: 'sub', prefix: 'oidc:' } },
        },
      ],
    }),
  );
  writeFileSync(at('secret'), issuer.clientSecret);
  const flags = ['--authentication-config', at('authentication.json'), '--console-oidc-client-id', clientId];
  plane = await startPlane(at('data'), ...flags, '--console-oidc-client-secret-file', at('secret'));
  issuer.redirectUri = `${plane.endpoint}/console/oidc/callback`;
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
});
afterAll(async () => {
  await browser?.close();
  await killPlanes();
  await issuer?.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('signs in by the button of the issuer, returns to the page, and signs out', async () => {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  await page.goto(`${plane.endpoint}/console/infrastructure`);
  const button = page.getByRole('link', { name: `Sign in with ${new URL(issuer.url).host}` });
  await button.click(wait);
  await page.locator('header.head').waitFor(wait);
  expect(new URL(page.url()).pathname).toBe('/console/infrastructure');
  expect(await page.locator('.user').innerText()).toBe('oidc:jane');
  await page.getByTitle('Sign out oidc:jane').click();
  await button.waitFor(wait);
  await context.close();
});

it('shows why a sign-in failed, and keeps the button', async () => {
  issuer.claims = { aud: 'other' };
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  await page.goto(`${plane.endpoint}/console/`);
  const button = page.getByRole('link', { name: /^Sign in with/ });
  await button.click(wait);
  await page.getByText('The management cluster does not accept this account.').waitFor(wait);
  expect(page.url()).toBe(`${plane.endpoint}/console/`);
  await button.waitFor(wait);
  await context.close();
});
