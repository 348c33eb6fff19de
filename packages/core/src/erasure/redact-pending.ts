/** Redacts held proposals: one that contains the text is removed, since the rest of it would no longer be what was proposed. Pure. */
import { fromBase64 } from '../shared/base64.ts'
import { isData, parseJson } from '../shared/json-texts.ts'
import {
  CLEAN,
  changed,
  type Erasure,
  holds,
  isOfSession,
  NAMES_SESSION,
  namesMatch,
  ReadDocument,
  type Redactor,
  remains,
  type Steps,
} from './redaction.ts'

/** Characters of a file that are searched in one step. */
const CHUNK_CHARS = 65_536

/** The bytes of a file that is not text; none of a text that is not Base64. */
const bytesOf = (base64: string): Uint8Array => {
  try {
    return fromBase64(base64)
  } catch {
    return new Uint8Array()
  }
}

/** Whether a file that is not text, of a held skill, holds the text. */
function* holdsInFiles(files: unknown, { matches, overlap }: Erasure): Generator<void, boolean> {
  for (const file of Array.isArray(files) ? files : []) {
    const base64: unknown = isData(file) ? file['base64'] : undefined
    if (typeof base64 !== 'string') continue
    const { loose } = new ReadDocument(bytesOf(base64))
    for (let start = 0; start < loose.length; start += CHUNK_CHARS) {
      if (matches(loose.slice(Math.max(0, start - overlap), start + CHUNK_CHARS))) return true
      yield
    }
  }
  return false
}

function* redactHeld(loose: string, erasure: Erasure): Steps {
  const data = parseJson(loose)
  if (isOfSession(data, erasure) || holds(loose, erasure)) return changed(undefined, 'heldProposals')
  if (!isData(data)) return CLEAN
  if (yield* holdsInFiles(data['files'], erasure)) return changed(undefined, 'heldProposals')
  return namesMatch({ sessionId: data['sessionId'], project: data['project'] }, erasure) ? remains(NAMES_SESSION) : CLEAN
}

export const redactPending: Redactor = ({ loose }, erasure) => redactHeld(loose, erasure)
