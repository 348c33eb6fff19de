/** The last step of a release, tried with what was packed: npm takes every package. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, it } from 'vitest'
import { readTarball } from '../release/facts.ts'
import { readManifest } from '../release/manifests.ts'
import { PUBLISHED } from '../support/published.ts'
import { openEmptyRegistry } from './empty-registry.ts'

const PACKAGES = join(import.meta.dirname, '../../packages')

it('npm would publish every package, for everybody', async () => {
  const registry = await openEmptyRegistry()
  const { scratch } = inject('packed')
  for (const name of PUBLISHED) {
    const { path } = readTarball(join(scratch, 'tarballs'), name)
    const args = ['publish', path, '--dry-run', '--json', `--registry=${registry.url}`]
    const { stdout, stderr } = await promisify(execFile)('npm', args, { cwd: scratch })
    const { name: published, version }: { name: string; version: string } = JSON.parse(stdout)[`@hermes/${name}`] ?? JSON.parse(stdout)
    expect({ published, version }).toEqual({ published: `@hermes/${name}`, version: readManifest(join(PACKAGES, name)).version })
    expect(stderr).toContain('public access')
    // npm says so if it has to mend a package.json.
    expect(stderr).not.toContain('auto-corrected')
  }
  registry.close()
  expect(registry.asked).not.toContain('PUT')
})
