/** A short, stable hash to recognise a text without storing it. Not for security. */
export const fingerprint = (text: string): string => {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    high = Math.imul(high ^ unit, 2654435761)
    low = Math.imul(low ^ unit, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  const hex = (half: number) => (half >>> 0).toString(16).padStart(8, '0')
  return `${hex(low)}${hex(high)}`
}

/** The same of bytes. Decoded one by one, so that bytes that are not text still differ. */
export const fingerprintOfBytes = (bytes: Uint8Array): string => fingerprint(new TextDecoder('latin1').decode(bytes))
