/** Prints what a maintainer has to set up once before the first release, and what of it this copy of the repository already has: `pnpm exec node scripts/release/set-up.ts`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PUBLISHED } from '../support/published.ts'
import { PLACEHOLDER, readManifest } from './manifests.ts'
import { unpinnedIn } from './pin-actions.ts'

const ROOT = join(import.meta.dirname, '../..')

interface Step {
  readonly text: string
  /** `undefined` for what only the website of a service can tell. */
  readonly isDone?: boolean
}

const stepsOf = (root: string): readonly Step[] => {
  const { url } = readManifest(root).repository
  const [, owner = PLACEHOLDER, repository = 'hermes'] = /github\.com\/([^/]+)\/([^/.]+)/.exec(url) ?? []
  const trust = PUBLISHED.map(
    (name) => `     npx -y npm@12 trust github @hermes/${name} --repo ${owner}/${repository} --file release.yml --env npm --allow-publish`,
  )
  return [
    {
      text: 'Name the owner of the repository on GitHub: npx -y pnpm@12 exec node scripts/release/manifests.ts --owner <name>',
      isDone: owner !== PLACEHOLDER,
    },
    {
      text: 'Pin the actions of the workflows: npx -y pnpm@12 exec node scripts/release/pin-actions.ts',
      isDone: unpinnedIn(root).length === 0,
    },
    {
      text: `Replace ${PLACEHOLDER} in .github/CODEOWNERS by the account or team that reviews changes`,
      isDone: !readFileSync(join(root, '.github/CODEOWNERS'), 'utf8').includes(`@${PLACEHOLDER}`),
    },
    { text: 'Own the organisation "hermes" on npmjs.com, or rename the packages: nobody else can publish under @hermes' },
    {
      text: [
        'On GitHub, in the settings of the repository:',
        '     Actions, General: allow Actions to create pull requests (for the one that raises the versions)',
        '     Environments: make "npm", with a required reviewer, for tags v* only',
        '     Rules: protect main, and let only maintainers push tags v*',
        '     Security: switch on private vulnerability reporting, which SECURITY.md names',
      ].join('\n'),
    },
    {
      text: [
        'Publish the first version from a clean clone at its tag, since a package must exist before it can trust a workflow. npm asks for the second factor:',
        '     npm login && npx -y pnpm@12 install && npx -y pnpm@12 release --out ../hermes-release && npm logout',
        '     The workflow that the tag starts then says that the version is there, so make the release on GitHub by hand this once:',
        '     gh release create <tag> --notes-file ../hermes-release/notes.md ../hermes-release/*.tgz ../hermes-release/sbom.cdx.json',
      ].join('\n'),
    },
    { text: ['Let npm trust the workflow, and nothing else; no token is stored anywhere:', ...trust].join('\n') },
    { text: 'On npmjs.com, for each package, Publishing access: require two-factor authentication and disallow tokens' },
    { text: 'Install the GitHub app Renovate, which keeps dependencies and the hashes of actions up to date (renovate.json)' },
    { text: 'For builds of pull requests: install the GitHub app pkg.pr.new, and set the variable CANARY of the repository to true' },
  ]
}

const MARKS = { true: '[done]', false: '[to do]', undefined: '[check]' }

if (import.meta.main)
  for (const [index, { text, isDone }] of stepsOf(ROOT).entries()) console.log(`${`${index + 1}.`.padEnd(4)} ${MARKS[`${isDone}`]} ${text}`)
