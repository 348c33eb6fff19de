/** Any text as one segment of a document path: on every file system, two texts have different segments, and none leaves its folder. */

/** Names that Windows reserves for devices, in every folder. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

const escapeByte = (byte: number): string => `~${byte.toString(16).padStart(2, '0')}`

/** Escapes each byte that is not one of `a-z0-9_-` as `~xx`, so that names differ even on file systems that ignore case or Unicode form. */
export const escapeName = (text: string): string => {
  const escaped = Array.from(new TextEncoder().encode(text), (byte) => {
    const char = String.fromCharCode(byte)
    return /[a-z0-9_-]/.test(char) ? char : escapeByte(byte)
  }).join('')
  return DEVICE.test(escaped) ? `${escapeByte(escaped.charCodeAt(0))}${escaped.slice(1)}` : escaped
}

/** Undefined for a segment that `escapeName` did not make. */
export const unescapeName = (segment: string): string | undefined => {
  const bytes: number[] = []
  for (let at = 0; at < segment.length; at++) {
    const code = segment[at] === '~' ? Number.parseInt(segment.slice(at + 1, at + 3), 16) : segment.charCodeAt(at)
    if (segment[at] === '~') at += 2
    bytes.push(code)
  }
  const text = new TextDecoder().decode(Uint8Array.from(bytes))
  return escapeName(text) === segment ? text : undefined
}

/** Why a value cannot be the name of an owner or a project; undefined if it can. */
export const problemOfName = (value: unknown, maxLength: number): string | undefined => {
  if (typeof value !== 'string') return `is ${value === null ? 'null' : `of type ${typeof value}`}`
  if (value === '') return 'is empty'
  if (value.length > maxLength) return `has ${value.length} characters`
  return value.isWellFormed() ? undefined : 'holds half a character'
}
