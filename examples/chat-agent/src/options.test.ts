import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readOptions } from './options.ts'

it('reads files below the folder that a person is in, also if a package runner went elsewhere', () => {
  expect(readOptions([], {})).toMatchObject({ folder: process.cwd() })
  expect(readOptions([], { npm_lifecycle_event: 'chat', INIT_CWD: '/home/ada/notes' })).toMatchObject({ folder: '/home/ada/notes' })
  // Left over from the program that started this one.
  expect(readOptions([], { INIT_CWD: '/home/ada/notes' })).toMatchObject({ folder: process.cwd() })
})

it('takes ~ for the own folder, if no shell did', () => {
  expect(readOptions(['--home=~/notes'], {})).toMatchObject({ home: join(homedir(), 'notes'), ui: false, recall: false })
})
