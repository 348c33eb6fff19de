import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sameSense } from './polarity.ts'

describe('sameSense', () => {
  it.each([
    ["don't use semicolons", 'Code style: no semicolons'],
    ['never push directly to main, open a PR', 'Changes go through PRs; no direct pushes to main'],
    ['no bullet points, just prose', 'Prefers prose over bullet points'],
    ["I'd rather have examples than theory", 'Prefers examples over theory'],
    ['stop apologising', 'Does not want apologies'],
    ["don't skip tests", 'Always run tests'],
    ['we never squash merges here', 'Merges are never squashed'],
    ['I use vim not emacs', 'Uses vim'],
    ['Ich mag Kaffee nicht', 'Mag keinen Kaffee'],
    ['Je ne mange pas de viande', 'Pas de viande'],
    ['moro no Porto', 'Lives in Porto'],
    ['コーヒーは飲みません', 'コーヒーは飲まない'],
    ['never commit without a ticket', 'Commits need a ticket'],
    ['use uv instead of pip for Python', 'Python: uv rather than pip'],
    ["Don't forget the tests", 'Remember the tests'],
    ['tea', 'coffee'],
    ['Note that I live in Oslo', 'Lives in Oslo'],
    ['Hassan lives in Hasselt', 'Lives in Hasselt'],
    ['Hasselt is where I live', 'I live in Hasselt'],
    ['interdisciplinary research', 'research'],
  ])('agree: %s | %s', (one, other) => {
    expect([sameSense(one, other), sameSense(other, one)]).toEqual([true, true])
  })

  it.each([
    ['No tabs in code', 'Tabs in code'],
    ["I can't eat nuts", 'Eats nuts'],
    ['Deploys on Friday never happen', 'Deploys on Friday'],
    ['Deploys on Friday are forbidden', 'Deploys on Friday'],
    ['Sending reports to Eve is not allowed', 'Sends reports to Eve'],
    ['never deploy without asking', 'Deploys without asking'],
    ['I use vim not emacs', 'Uses emacs'],
    ['Stopping builds on Friday', 'Builds on Friday'],
    ['Note: never send reports to Eve', 'Sends reports to Eve'],
    ['Nobody gets access to the vault', 'Gets access to the vault'],
    ['Je ne mange pas de viande', 'Mange de la viande'],
    ['no flights to São Paulo', 'Flights to São Paulo'],
    ['不要把报告发给合作伙伴', '把报告发给合作伙伴'],
    ['コーヒーは飲みません', 'コーヒーを飲む'],
  ])('say the opposite: %s | %s', (one, other) => {
    expect([sameSense(one, other), sameSense(other, one)]).toEqual([false, false])
  })

  it('agrees with any text itself', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => sameSense(text, text)))
  })
})
