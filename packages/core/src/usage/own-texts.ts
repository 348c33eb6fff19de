/** Whether a file of a skill has exactly the text that was written out of own words alone; any other text is from outside (DESIGN 5). */
import { sha256OfText } from '../shared/sha256.ts'
import type { UsageRecord } from './usage-record.ts'

export const isOwnText = async (record: UsageRecord | undefined, filePath: string, text: string): Promise<boolean> => {
  const digests = record?.ownTexts ?? {}
  return Object.hasOwn(digests, filePath) && digests[filePath] === (await sha256OfText(text))
}
