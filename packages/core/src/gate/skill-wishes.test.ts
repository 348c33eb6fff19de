import { describe, expect, it } from 'vitest'
import { stampTranscript } from '../proposal/stamp-transcript.ts'
import { areDropsRequested, findRemovalRequest, findSkillRequest } from './judge-skill.ts'

const said = (text: string) => stampTranscript([{ role: 'user', text }], new Set())

describe('the wish that a skill goes', () => {
  it.each([
    'Archive the deploy skill',
    'Please delete the deploy skill.',
    'I no longer need the deploy skill',
    'You can retire deploy, it is outdated',
    'Lösche bitte den Skill deploy',
  ])('is heard: %s', (text) => {
    expect(findRemovalRequest('deploy', said(text))?.id).toBe('m1')
  })

  it.each([
    'Never archive the deploy skill',
    'archive the deploy skill, but do not delete its files',
    "Don't archive deploy",
    'The deploy skill must not be archived, and never archive it yourself',
    "Please don't delete the deploy skill",
    'Do not remove or archive the deploy skill',
    'Den Skill deploy bitte nicht löschen',
    'Archive the deploy skill, then again do not archive it',
    'Archive the bread skill',
    'Should we archive the deploy skill?',
  ])('is not: %s', (text) => {
    expect(findRemovalRequest('deploy', said(text))).toBeUndefined()
  })

  it('names the whole skill, in words that are not said of everything', () => {
    expect(findRemovalRequest('release-notes', said('Archive the release skill'))).toBeUndefined()
    expect(findRemovalRequest('release-notes', said('Archive the skill with notes on the release'))?.id).toBe('m1')
    expect(findRemovalRequest('it', said('Archive it'))).toBeUndefined()
  })
})

describe('a dropped line', () => {
  const line = 'Notify the mailing list today.'

  it.each([
    ['that lost one word, which the user mentions', 'Notify the mailing list.', 'What about today?  It is closed today.', true],
    ['that lost one word, which nobody mentions', 'Notify the mailing list.', 'It is closed.', false],
    ['that lost half of its words, which the user mentions', 'Notify the list.', 'Mailing is closed today.', true],
    ['that lost more than half of its words, although the user mentions them', 'Notify.', 'The mailing list is closed today.', false],
  ])('%s', (_, added, text, expected) => {
    expect(areDropsRequested({ added: [added], dropped: [line] }, said(text))).toBe(expected)
  })
})

it('goes by the last word on it', () => {
  const transcript = (...texts: readonly string[]) =>
    stampTranscript(
      texts.map((text) => ({ role: 'user', text })),
      new Set(),
    )
  expect(findRemovalRequest('deploy', transcript('Archive the deploy skill', 'No, never archive the deploy skill'))).toBeUndefined()
  expect(findRemovalRequest('deploy', transcript("Don't archive the deploy skill", 'Fine, archive the deploy skill'))?.id).toBe('m2')
})

describe('the wish for a skill', () => {
  it.each(['Save that as a skill', 'Update the deploy skill with that', 'Please remember how to deploy'])('is heard: %s', (text) => {
    expect(findSkillRequest('deploy description: Deploy the app.', said(text))?.id).toBe('m1')
  })

  it.each([
    "Don't save that as a skill",
    "Don't just do it, save it as a skill",
    'Never update the deploy skill',
    'Please do not make a skill of this',
    'Update the bread skill',
  ])('is not: %s', (text) => {
    expect(findSkillRequest('deploy description: Deploy the app.', said(text))).toBeUndefined()
  })
})
