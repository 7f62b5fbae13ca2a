import { isIP } from 'node:net';
import { headerText, type RequestHeaders } from '@slipway/base';

/** Returns the addresses that a request claims to come from, as upstream records them: proxies' headers, then the connection. */
export function sourceAddresses(headers: RequestHeaders, remoteAddress: string): string[] {
  const forwarded = (headerText(headers, 'x-forwarded-for') ?? '')
    .split(',')
    .map((address) => address.trim())
    .filter((address) => isIP(address) !== 0);
  const real = (headerText(headers, 'x-real-ip') ?? '').trim();
  const addresses = [...forwarded];
  if (isIP(real) !== 0 && !addresses.includes(real)) addresses.push(real);
  const own = remoteAddress.replace(/^::ffff:(?=\d+\.)/, '');
  if (isIP(own) !== 0 && addresses.at(-1) !== own) addresses.push(own);
  return addresses;
}
