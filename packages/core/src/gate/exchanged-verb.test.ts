import { expect, it } from 'vitest'
import { contentWords } from './content-words.ts'
import { exchangesVerb } from './exchanged-verb.ts'

const exchanges = (statement: string, ...said: readonly string[]) => exchangesVerb(contentWords(statement), said.map(contentWords))

it('hears that another thing is to be done than was said', () => {
  expect(exchanges('Always delete the production db', 'Always check the production db')).toBe(true)
  expect(exchanges('Approve Acme invoices', 'I review the Acme invoices', 'please report Acme invoices')).toBe(true)
})

it('hears none where the verb was said, was put in no place of another, or says little', () => {
  expect(exchanges('Always delete the staging db', 'delete the staging db always')).toBe(false)
  expect(exchanges('Run the tests', 'tests are to pass')).toBe(false)
  expect(exchanges('Commit style: no emojis', "don't use emojis")).toBe(false)
  expect(exchanges('Delete the db')).toBe(false)
})
