const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Returns whether the text is padded standard base64. Like upstream, rejects the empty string. */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && base64.test(text);
}

export function isBsonObjectId(text: string): boolean {
  return /^[0-9a-fA-F]{24}$/.test(text);
}

export function isHexColor(text: string): boolean {
  return /^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/.test(text);
}

export function isRgbColor(text: string): boolean {
  const parts = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(text);
  return parts !== null && parts.slice(1).every(isColorByte);
}

function isColorByte(text: string): boolean {
  return Number(text) <= 255 && (text.length === 1 || !text.startsWith('0'));
}

export function isSsn(text: string): boolean {
  return /^\d{3}[- ]\d{2}[- ]\d{4}$/.test(text);
}

export function isIsbn10(text: string): boolean {
  const digits = withoutSeparators(text);
  if (!/^[0-9]{9}[0-9X]$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < 9; index += 1) sum += (index + 1) * Number(digits[index]);
  sum += 10 * (digits[9] === 'X' ? 10 : Number(digits[9]));
  return sum % 11 === 0;
}

export function isIsbn13(text: string): boolean {
  const digits = withoutSeparators(text);
  if (!/^[0-9]{13}$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < 13; index += 1) sum += (index % 2 === 0 ? 1 : 3) * Number(digits[index]);
  return sum % 10 === 0;
}

function withoutSeparators(text: string): string {
  return text.replace(/[\s-]+/g, '');
}

const cardNumber =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;

/**
 * Returns whether the text is a credit card number, by the number ranges of common issuers and the Luhn check. Characters other
 * than digits are ignored.
 */
export function isCreditCard(text: string): boolean {
  const digits = text.replace(/\D+/g, '');
  if (!cardNumber.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    sum += index % 2 === 0 ? digit : luhnDouble(digit);
  }
  return sum % 10 === 0;
}

function luhnDouble(digit: number): number {
  return digit > 4 ? digit * 2 - 9 : digit * 2;
}
