/**
 * Runs all commands given as arguments one after the other, and prints one line `N passed, N failed` with the sums. Commands with a `+`
 * between them run at the same time; their outputs follow each other. A command that fails, or prints no number of passed tests, counts as
 * a failure. Has no dependencies.
 */
import { spawn } from 'node:child_process'

const SUMMARY = /^(\d+) passed, (\d+) failed$/

/** Runs a command, passes its output on as it comes, and resolves to the counts of the last summary it printed. */
const runCommand = (command, print) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
    let line = ''
    let summary
    child.stdout.setEncoding('utf8').on('data', (text) => {
      print(process.stdout, text)
      const lines = (line + text).split('\n')
      line = lines.pop() ?? ''
      summary = lines.map((each) => SUMMARY.exec(each)).findLast((match) => match !== null) ?? summary
    })
    child.stderr.setEncoding('utf8').on('data', (text) => print(process.stderr, text))
    child.on('error', reject)
    child.on('close', (code) => {
      const [, passed = '0', failed = '0'] = SUMMARY.exec(line) ?? summary ?? []
      const isComplete = code === 0 && (summary !== undefined || SUMMARY.test(line))
      resolve({ passed: Number(passed), failed: isComplete ? Number(failed) : Math.max(1, Number(failed)) })
    })
  })

/** Runs commands at the same time. Only the first one's output appears at once. */
const runTogether = async (commands) => {
  const running = commands.map((command, index) => {
    const kept = []
    const output = { isOpen: index === 0, release: () => undefined }
    const print = (stream, text) => (output.isOpen ? stream.write(text) : kept.push([stream, text]))
    output.release = () => {
      process.stdout.write(`\n== ${command}\n`)
      for (const [stream, text] of kept) stream.write(text)
      output.isOpen = true
    }
    return { output, ended: runCommand(command, print) }
  })
  const counts = []
  for (const { output, ended } of running) {
    output.release()
    counts.push(await ended)
  }
  return counts
}

/** Groups of commands; a `+` adds the next command to the group before. */
const groupsOf = (parts) => {
  const groups = []
  for (const [index, part] of parts.entries()) {
    if (part === '+') continue
    if (index > 1 && parts[index - 1] === '+') groups.at(-1).push(part)
    else groups.push([part])
  }
  return groups
}

let passed = 0
let failed = 0
for (const group of groupsOf(process.argv.slice(2))) {
  for (const counts of await runTogether(group)) {
    passed += counts.passed
    failed += counts.failed
  }
}
if (passed === 0 && failed === 0) failed = 1
process.exitCode = failed === 0 ? 0 : 1
process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
