/**
 * Publishes all packages, or none: packs them, says everything that is wrong with the release, and uploads only if nothing is.
 * `pnpm release [--dry-run] [--registry <url>] [--out <folder>]`; with `--out`, the tarballs, `sbom.cdx.json` and `notes.md` stay in that folder. An upload that
 * broke off is gone on with: what is published with the same content is passed over.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { packAll } from '../support/pack-all.ts'
import { PUBLISHED } from '../support/published.ts'
import { findFacts, readTarball } from './facts.ts'
import { problemsOf, type ReleaseFacts, sectionOf } from './problems.ts'
import { sbomOf } from './sbom.ts'

const ROOT = join(import.meta.dirname, '../..')

const { values } = parseArgs({
  options: { 'dry-run': { type: 'boolean' }, registry: { type: 'string' }, out: { type: 'string' } },
})
const registry = values.registry ?? 'https://registry.npmjs.org'
const isDryRun = values['dry-run'] === true

/** What the others need first. */
const inOrder = [...PUBLISHED].sort((a, b) => Number(b === 'core') - Number(a === 'core'))

const publish = (folder: string, { packages }: ReleaseFacts): void => {
  for (const name of inOrder) {
    const isDone = packages.some(({ manifest, published }) => manifest.name === `@hermes/${name}` && published === 'same')
    console.log(
      isDone ? `@hermes/${name} is already published with this content.` : `Publishing @hermes/${name}${isDryRun ? ' (dry run)' : ''}.`,
    )
    // npm, not pnpm: it proves by OIDC who publishes, and signs where the package was built.
    if (!isDone)
      execFileSync(
        'npm',
        ['publish', readTarball(folder, name).path, `--registry=${registry}`, '--access=public', ...(isDryRun ? ['--dry-run'] : [])],
        {
          cwd: folder,
          stdio: ['ignore', 'ignore', 'inherit'],
        },
      )
  }
}

const release = async (folder: string): Promise<void> => {
  packAll(folder)
  const facts = await findFacts(ROOT, folder, registry)
  const problems = problemsOf(facts)
  if (problems.length > 0) {
    console.error(`Nothing is published:\n${problems.map((problem) => `- ${problem}\n`).join('')}`)
    process.exitCode = 1
    return
  }
  const released = facts.packages.map(({ manifest }, index) => ({ manifest, tarball: readTarball(folder, PUBLISHED[index] ?? '') }))
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(sbomOf(released), undefined, 2)}\n`)
  writeFileSync(join(folder, 'notes.md'), `${sectionOf(facts.changelog, released[0]?.manifest.version ?? '')}\n`)
  publish(folder, facts)
}

const folder = values.out ?? mkdtempSync(join(tmpdir(), 'hermes-release-'))
try {
  await release(folder)
} catch (cause) {
  console.error(`The release has stopped: ${cause instanceof Error ? cause.message : String(cause)}`)
  process.exitCode = 1
} finally {
  if (values.out === undefined) rmSync(folder, { recursive: true, force: true })
}
