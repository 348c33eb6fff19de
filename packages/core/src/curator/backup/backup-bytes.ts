/** The hash of bytes, as a manifest names it. */

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Not shared between threads, which is what the platform's streams and Web Crypto take. */
export const toPlainBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new Uint8Array(bytes)

/** In lower-case hexadecimal, by Web Crypto, which every runtime has. */
export const sha256Of = async (bytes: Uint8Array): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', toPlainBytes(bytes))
  return Array.from(new Uint8Array(digest), (byte) => HEX[byte]).join('')
}
