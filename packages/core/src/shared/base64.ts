/** Bytes as text, for JSON documents. */

/** Bytes that become characters in one call; far more would exceed the number of arguments of a call. */
const CHUNK = 8_192

export const toBase64 = (bytes: Uint8Array): string => {
  let text = ''
  for (let start = 0; start < bytes.length; start += CHUNK) text += String.fromCharCode(...bytes.subarray(start, start + CHUNK))
  return btoa(text)
}

/** Throws for a text that is not Base64. */
export const fromBase64 = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
