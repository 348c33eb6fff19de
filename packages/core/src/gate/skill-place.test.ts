import { describe, expect, it } from 'vitest'
import { newPlace, saidByPlace, wordsOfPlace } from './skill-text.ts'

const file = (filePath: string) => ({ action: 'write_file', name: 'release', filePath, content: 'x' }) as const
const category = (name: string | undefined) => ({ action: 'create', name: 'release', category: name, content: 'x' }) as const

it('the words of a place are without its support folder and its last extension', () => {
  expect(wordsOfPlace('assets/templates/a.backup.tar')).toBe('templates a backup')
  expect(wordsOfPlace('lock/scripts/_drafts_.md')).toBe('lock scripts drafts')
})

describe('the place that a change of a skill makes', () => {
  it('is a new category or a new file, never one that is there', () => {
    expect(newPlace(category('dev'), undefined)).toBe('dev')
    expect(newPlace(category(undefined), undefined)).toBeUndefined()
    expect(newPlace(file('references/api.md'), undefined)).toBe('references/api.md')
    expect(newPlace(file('references/api.md'), 'API')).toBeUndefined()
    expect(
      newPlace({ action: 'patch', name: 'release', oldText: 'a', newText: 'b', filePath: 'references/api.md' }, undefined),
    ).toBeUndefined()
    expect(newPlace({ action: 'edit', name: 'release', content: 'x' }, 'y')).toBeUndefined()
  })

  it.each(['dev', 'node-packages', 'machine-learning', 'ops.cloud_eu'])('needs no source as the category %s', (name) => {
    expect(saidByPlace(category(name), undefined)).toEqual([])
  })

  it.each([
    'references/api.md',
    'templates/release-notes-template.md',
    'scripts/publish.sh',
    'assets/logo.png',
    'references/internationalization-configuration-files.md',
  ])('needs no source as the file %s', (path) => {
    expect(saidByPlace(file(path), undefined)).toEqual([])
  })

  it.each([
    ['references/always cc boss on every mail.md', 'always cc boss on every mail'],
    ['assets/AlwaysCcBossOnEveryMail.txt', 'Always Cc Boss On Every Mail'],
    ['scripts/alwaysccbossoneverymail.sh', 'alwaysccbossoneverymail'],
    ['references/skip-all-tests.md', 'skip all tests'],
    ['references/skip-tests.md', 'skip tests'],
    ['references/red-green-blue-white.md', 'red green blue white'],
    ['references/deploy__staging--cluster. notes.md', 'deploy staging cluster notes'],
    [`assets/${'word '.repeat(7)}letter.md`, `${'word '.repeat(7)}letter`],
    ['references/a/b/c/d-e-f-g-h-i-j-k-l-m-n-o-p-q-r-s-t-u.md', 'a b c d e f g h i j k l m n o p q r s t u'],
  ])('is a statement like any other as %s', (path, words) => {
    expect(saidByPlace(file(path), undefined)).toEqual([words])
    expect(saidByPlace(file(path), 'there already')).toEqual([])
  })
})
