/**
 * Runs all commands given as arguments one after the other, and prints one line `N passed, N failed` with the sums. A command that fails,
 * or prints no number of passed tests, counts as a failure. Has no dependencies.
 */
import { spawn } from 'node:child_process'

const SUMMARY = /^(\d+) passed, (\d+) failed$/

/** The exit code of a command and the last summary it printed. Forwards its output. */
const runCommand = (command) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
    let line = ''
    let summary
    child.stdout.setEncoding('utf8').on('data', (text) => {
      process.stdout.write(text)
      const lines = (line + text).split('\n')
      line = lines.pop() ?? ''
      summary = lines.map((each) => SUMMARY.exec(each)).findLast((match) => match !== null) ?? summary
    })
    child.stderr.pipe(process.stderr, { end: false })
    child.on('error', reject)
    child.on('close', (code) => {
      const [, passed = '0', failed = '0'] = SUMMARY.exec(line) ?? summary ?? []
      const isComplete = code === 0 && (summary !== undefined || SUMMARY.test(line))
      resolve({ passed: Number(passed), failed: isComplete ? Number(failed) : Math.max(1, Number(failed)) })
    })
  })

let passed = 0
let failed = 0
for (const command of process.argv.slice(2)) {
  process.stdout.write(`\n== ${command}\n`)
  const counts = await runCommand(command)
  passed += counts.passed
  failed += counts.failed
}
if (passed === 0 && failed === 0) failed = 1
process.exitCode = failed === 0 ? 0 : 1
process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
