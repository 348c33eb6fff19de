/** Bytes as hexadecimal text and back, as PostgreSQL writes them. Documents may have megabytes, so each byte costs little. */

const digitCode = (digit: number): number => (digit < 10 ? 48 : 87) + digit

export const toHex = (bytes: Uint8Array): string => {
  const codes = new Uint8Array(2 * bytes.length)
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0
    codes[2 * index] = digitCode(byte >> 4)
    codes[2 * index + 1] = digitCode(byte & 15)
  }
  return new TextDecoder().decode(codes)
}

/** The value of a digit in either case. */
const digitOf = (code: number): number => (code < 58 ? code - 48 : (code | 32) - 87)

export const fromHex = (hex: string): Uint8Array => {
  const bytes = new Uint8Array(hex.length / 2)
  for (let index = 0; index < bytes.length; index++) {
    bytes[index] = (digitOf(hex.charCodeAt(2 * index)) << 4) | digitOf(hex.charCodeAt(2 * index + 1))
  }
  return bytes
}
