import { isLooseUuid } from '../../text/uuid.js';
import { isBase64, isBsonObjectId, isCreditCard, isHexColor, isIsbn10, isIsbn13, isRgbColor, isSsn } from './codes.js';
import { isCidr, isEmail, isHostname, isIpv4, isIpv6, isMac, isRequestUri } from './network.js';
import { isLongName, isShortName } from './names.js';
import { isDate, isDateTime, isDuration } from './times.js';

export type FormatCheck = (text: string) => boolean;

// Format checks by name without dashes: `date-time` and `datetime` are the same format.
const stringFormats: ReadonlyMap<string, FormatCheck> = new Map<string, FormatCheck>([
  ['bsonobjectid', isBsonObjectId],
  ['uri', isRequestUri],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['cidr', isCidr],
  ['mac', isMac],
  ['uuid', (text) => isLooseUuid(text)],
  ['uuid3', (text) => isLooseUuid(text, 3)],
  ['uuid4', (text) => isLooseUuid(text, 4)],
  ['uuid5', (text) => isLooseUuid(text, 5)],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', isSsn],
  ['hexcolor', isHexColor],
  ['rgbcolor', isRgbColor],
  ['byte', isBase64],
  ['password', () => true],
  ['date', isDate],
  ['duration', isDuration],
  ['datetime', isDateTime],
  ['k8sshortname', isShortName],
  ['k8slongname', isLongName],
]);

const numberFormats: Readonly<Record<string, readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
};

/** Returns the format if values of this type are validated against it, else ''. Unknown formats are ignored. */
export function recognisedFormat(type: string, format: string | undefined): string {
  if (format === undefined || format === '') return '';
  if (type === '' || type === 'string') return stringFormats.has(normalise(format)) ? format : '';
  return numberFormats[type]?.includes(format) === true ? format : '';
}

export function formatCheckOf(format: string): FormatCheck | undefined {
  return format === '' ? undefined : stringFormats.get(normalise(format));
}

function normalise(format: string): string {
  return format.replaceAll('-', '');
}
