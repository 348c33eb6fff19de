import { expect, it } from 'vitest'
import { readOptions } from './options.ts'

const WORLD = { env: {}, cwd: '/home/ada/work', userHome: '/home/ada' }

it('reads files below the folder that a person is in, also if a package runner went elsewhere', () => {
  const folderIn = (env: Readonly<Record<string, string>>): unknown => readOptions([], { ...WORLD, env })
  expect(folderIn({})).toMatchObject({ folder: '/home/ada/work' })
  expect(folderIn({ npm_lifecycle_event: 'chat', INIT_CWD: '/home/ada/notes' })).toMatchObject({ folder: '/home/ada/notes' })
  // Left over from the program that started this one.
  expect(folderIn({ INIT_CWD: '/home/ada/notes' })).toMatchObject({ folder: '/home/ada/work' })
})

it('takes ~ for the own folder, if no shell did', () => {
  expect(readOptions(['--home=~/notes'], WORLD)).toMatchObject({ home: '/home/ada/notes', ui: false, recall: false })
})

it('turns recall on for a model, and knows the local one alone', () => {
  expect(readOptions(['--embed', 'local'], WORLD)).toMatchObject({ recall: true, embed: 'local' })
  expect(() => readOptions(['--embed', 'openai'], WORLD)).toThrow("--embed is 'openai'; it takes local")
})
