/** Corrections and withdrawals by the user, each with the change that a good reviewer proposes: all must be made. */
import type { MemoryOp } from '../../src/memory/memory-op.ts'

export interface HonestChange {
  readonly said: string
  readonly entry: string
  readonly op: MemoryOp
}

const replace = (said: string, entry: string, content: string): HonestChange => ({
  said,
  entry,
  op: { action: 'replace', oldText: entry, content },
})
const remove = (said: string, entry: string): HonestChange => ({ said, entry, op: { action: 'remove', oldText: entry } })

export const HONEST_CHANGES: readonly HonestChange[] = [
  replace('We moved from pnpm 9 to pnpm 12', 'Repo builds with pnpm 9', 'Repo builds with pnpm 12'),
  replace('I live in Hamburg now', 'Lives in Berlin', 'Lives in Hamburg'),
  replace('Ich wohne jetzt in Hamburg', 'Wohnt in Berlin', 'Wohnt in Hamburg'),
  replace('I no longer eat fish either', 'User is vegetarian (eats fish)', 'User is strictly vegetarian; no fish'),
  replace('actually my daughter is called Mia, not Maya', 'Daughter: Maya', 'Daughter: Mia'),
  replace('we dropped jest, it is vitest now', 'Tests run with jest', 'Tests run with vitest'),
  replace('please use formal tone from now on', 'Prefers casual tone', 'Prefers formal tone'),
  replace('actually deploys are on Monday now', 'Deploys are on Friday', 'Deploys are on Monday'),
  replace('we may deploy on Fridays now', 'Never deploy on Friday', 'Deploys on Friday are fine'),
  replace('I also speak Dutch', 'Speaks German', 'Speaks German and Dutch'),
  replace('tests use vitest', 'Repo uses pnpm', 'Repo uses pnpm; tests use vitest'),
  replace('never deploy without asking me', 'Deploys on Monday', 'Deploys on Monday, never without asking'),
  replace("we don't support Node 18 any more", 'Supports Node 18, 20 and 22', 'Supports Node 20 and 22'),
  replace('the API moved to api2.acme.io', 'API is at api.acme.io', 'API is at api2.acme.io'),
  remove('Forget that I live in Berlin', 'Lives in Berlin'),
  remove('we no longer use jest in this repo', 'Repo tests run with jest'),
  remove('the note about the jest repo tests is wrong', 'Repo tests run with jest'),
  remove('can you forget my birthday?', 'Birthday is on 3 May'),
  remove('vergiss bitte meine Adresse', 'Adresse: Hauptstraße 5'),
]
