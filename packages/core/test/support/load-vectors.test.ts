/** An invalid folder of vectors must not look like a run in which everything passed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { loadVectorsFrom } from './load-vectors.ts'

const folderWith = (files: Readonly<Record<string, string>>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-vectors-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

it('reads the file of a runner, and answers undefined if only that one is absent', () => {
  const folder = folderWith({ 'memory.json': '{"cases":[]}' })
  expect(loadVectorsFrom(folder, 'memory')).toEqual({ cases: [] })
  expect(loadVectorsFrom(folder, 'threats')).toBeUndefined()
})

it('takes a folder whose vectors all await their runner', () => {
  expect(loadVectorsFrom(folderWith({ 'curator.json': '{}' }), 'memory')).toBeUndefined()
})

it('says what is wrong with a folder that is missing, empty, or of something else, and with a broken file', () => {
  expect(() => loadVectorsFrom('/nowhere/vectors', 'memory')).toThrow(/\/nowhere\/vectors does not exist.*VECTORS_DIR/)
  for (const files of [{}, { 'memories.json': '{}' }]) {
    expect(() => loadVectorsFrom(folderWith(files), 'memory')).toThrow(/holds no vectors.*memory\.json/)
  }
  expect(() => loadVectorsFrom(folderWith({ 'memory.json': '{' }), 'memory')).toThrow(/memory\.json is not JSON/)
})
