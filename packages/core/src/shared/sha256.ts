/** SHA-256 in lower-case hexadecimal, by Web Crypto, which every runtime has. */

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Not shared between threads, which is what the platform's streams and Web Crypto take. */
export const toPlainBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new Uint8Array(bytes)

export const sha256Of = async (bytes: Uint8Array): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', toPlainBytes(bytes))
  return Array.from(new Uint8Array(digest), (byte) => HEX[byte]).join('')
}

/** Of the text in UTF-8. */
export const sha256OfText = (text: string): Promise<string> => sha256Of(new TextEncoder().encode(text))
