/** Bytes as hexadecimal text and back, as PostgreSQL writes them. */

const digitCode = (digit: number): number => (digit < 10 ? 48 : 87) + digit

export const toHex = (bytes: Uint8Array): string => {
  const codes = new Uint8Array(2 * bytes.length)
  for (const [index, byte] of bytes.entries()) {
    codes[2 * index] = digitCode(byte >> 4)
    codes[2 * index + 1] = digitCode(byte & 15)
  }
  return new TextDecoder().decode(codes)
}

export const fromHex = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, index) => Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16))
