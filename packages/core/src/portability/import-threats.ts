/** Scans text of an archive as the stores do, in pieces, so that a long text does not block the event loop. */
import { toScanParts } from '../memory/scan-parts.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { pause } from '../shared/pause.ts'
import { findNewCredentials } from '../threats/credentials/find-credentials.ts'
import { scanThreats, type ThreatScope } from '../threats/scan.ts'

const UNITS_BETWEEN_PAUSES = 16_384

export interface ImportScanner {
  /** `blocked` if the text contains a threat. The message has the findings, never the text. */
  readonly findThreat: (text: string, scope: ThreatScope) => Promise<HermesError | undefined>
  /** The same for credentials. */
  readonly findCredential: (text: string) => Promise<HermesError | undefined>
}

const blocked = (message: string): HermesError => new HermesError('blocked', message)

/** All scans of one scanner count together towards the next pause. */
export const createScanner = (): ImportScanner => {
  let sincePause = 0
  const takeTurn = async (text: string): Promise<void> => {
    sincePause += text.length
    if (sincePause < UNITS_BETWEEN_PAUSES) return
    sincePause = 0
    await pause()
  }
  return {
    findThreat: async (text, scope) => {
      for (const part of toScanParts(text)) {
        await takeTurn(part)
        const findings = scanThreats(part, scope)
        if (findings.length > 0) return blocked(`The threat scan blocked it (${findings.join(', ')}).`)
      }
      return undefined
    },
    findCredential: async (text) => {
      await takeTurn(text)
      const kinds = findNewCredentials('', text)
      return kinds ? blocked(`It contains ${kinds.join(' and ')}. Secrets are stored neither in memory nor in skills.`) : undefined
    },
  }
}
