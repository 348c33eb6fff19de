/** The exports of each package as it would be published: what publint finds wrong, and types that a way of importing would not find. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { describe, expect, inject, it } from 'vitest'
import { IMPORTED, PUBLISHED } from '../support/published.ts'

const tarballOf = (name: string): Uint8Array<ArrayBuffer> => {
  const folder = join(inject('packed').scratch, 'tarballs')
  const [file, ...more] = globSync(`hermes-${name}-[0-9]*.tgz`, { cwd: folder })
  if (file === undefined || more.length > 0) throw new Error(`There must be one tarball of ${name}.`)
  return new Uint8Array(readFileSync(join(folder, file)))
}

/** Ways of importing that the command does not support: it is an ES module. */
const NOT_FOR_THE_COMMAND: readonly string[] = ['node10', 'node16-cjs']

describe.each(PUBLISHED)('the exports of @hermes/%s', (name) => {
  it('are as publint wants them', async () => {
    const { messages, pkg } = await publint({ pack: { tarball: tarballOf(name).buffer }, strict: true })
    expect(pkg?.['name']).toBe(`@hermes/${name}`)
    const errors = messages.filter(({ type }) => type === 'error')
    expect(errors.map((message) => formatMessage(message, pkg ?? {}, { color: false }))).toEqual([])
  })
})

describe.each(IMPORTED)('the exports of @hermes/%s', (name) => {
  it('have types for every way of importing', async () => {
    const checked = await checkPackage(createPackageFromTarballData(tarballOf(name)))
    expect(checked.types).toMatchObject({ kind: 'included' })
    if (!checked.types) return
    expect(checked.entrypoints).not.toEqual({})
    const problems = checked.problems.filter(
      (problem) => !(name === 'cli' && 'resolutionKind' in problem && NOT_FOR_THE_COMMAND.includes(problem.resolutionKind)),
    )
    expect(problems).toEqual([])
  })
})
