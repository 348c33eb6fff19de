import { describe, expect, it } from 'vitest'
import { memoryRequest } from './decide-memory.ts'
import type { KnownEntry } from './prompt-blocks.ts'

const known: readonly KnownEntry[] = [
  { target: 'user', text: "User's name is Ada" },
  { target: 'user', text: 'User lives in Oslo' },
  { target: 'memory', text: 'The team deploys with Kamal' },
]

describe('what a person asks of the memory', () => {
  const cases: readonly (readonly [string, ReturnType<typeof memoryRequest>])[] = [
    ['remember that I live in Oslo', { action: 'add', target: 'user', content: 'User lives in Oslo' }],
    ['Please remember: my dog is called Rex.', { action: 'add', target: 'user', content: "User's dog is called Rex" }],
    ["remember that I'm allergic to nuts", { action: 'add', target: 'user', content: 'User is allergic to nuts' }],
    ["remember that I can't eat nuts at my desk", { action: 'add', target: 'user', content: "User can't eat nuts at their desk" }],
    ['remember that the release branch is stable-4', { action: 'add', target: 'memory', content: 'The release branch is stable-4' }],
    ['forget where I live', { action: 'remove', target: 'user', oldText: 'User lives in Oslo' }],
    ['forget about Kamal', { action: 'remove', target: 'memory', oldText: 'The team deploys with Kamal' }],
    ['forget my shoe size', { action: 'none', subject: 'my shoe size' }],
    ['change Oslo to Bergen', { action: 'replace', target: 'user', oldText: 'User lives in Oslo', content: 'User lives in Bergen' }],
    ['change my name to Grace', { action: 'replace', target: 'user', oldText: "User's name is Ada", content: "User's name is Grace" }],
    ['actually, I live in Bergen', { action: 'replace', target: 'user', oldText: 'User lives in Oslo', content: 'User lives in Bergen' }],
    ['actually I speak Norwegian', { action: 'add', target: 'user', content: 'User speaks Norwegian' }],
    ['actually that is fine', undefined],
    ['do you remember me?', undefined],
    ['I live in Oslo', undefined],
  ]
  it.each(cases)('%s', (text, expected) => {
    expect(memoryRequest(text, known)).toEqual(expected)
  })
})
