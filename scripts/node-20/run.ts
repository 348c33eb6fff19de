/** Runs the tests of this folder's vitest.config.ts on the user's Node, which should be the oldest that the packages support. */
import { execFileSync, spawn } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { usersNode } from '../support/users-node.ts'

const node = usersNode()
const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
const warning = version.startsWith('v20.')
  ? ''
  : `
!!! These tests run on Node ${version}, not on Node 20: nothing is shown about the oldest Node that the packages promise.
!!! Put Node 20 first on the path, or name it in HERMES_SMOKE_NODE.
`
process.stderr.write(warning || `The tests run on Node ${version}.\n`)

const folder = import.meta.dirname
const vitest = join(folder, 'node_modules/vitest/vitest.mjs')
const path = [dirname(node), process.env['PATH']].join(delimiter)
const child = spawn(node, [vitest, 'run', ...process.argv.slice(2)], {
  cwd: folder,
  env: { ...process.env, PATH: path, NODE_PATH: '' },
  stdio: 'inherit',
})
child.on('close', (code) => {
  process.stderr.write(warning)
  process.exitCode = code ?? 1
})
