/**
 * Runs the commands given as arguments one after the other, and prints one line `N passed, N failed` with the sums. A `+` starts another
 * list of commands, which runs at the same time as the lists before it; the outputs of the lists follow each other. A command that fails,
 * or prints no number of passed tests, counts as a failure. A command after `--check` prints no such number, and its failure stops all
 * lists. Has no dependencies.
 */
import { spawn } from 'node:child_process'

const SUMMARY = /^(\d+) passed, (\d+) failed$/

/** Processes that run now. Each leads a group, so that a signal also reaches what its shell has started. */
const running = new Set()

const stopAll = () => {
  for (const child of running) {
    try {
      process.kill(-child.pid, 'SIGTERM')
    } catch {
      // It has just ended.
    }
  }
}

/** Runs a command, passes its output on as it comes, and resolves to its exit code and the counts of the last summary it printed. */
const runCommand = (command, print) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, { shell: true, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    running.add(child)
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
      running.delete(child)
      const [, passed = '0', failed = '0'] = SUMMARY.exec(line) ?? summary ?? []
      const isComplete = code === 0 && (summary !== undefined || SUMMARY.test(line))
      resolve({ code, passed: Number(passed), failed: isComplete ? Number(failed) : Math.max(1, Number(failed)) })
    })
  })

/** The output of a list of commands, kept until it is opened. */
const createOutput = () => {
  const kept = []
  let isOpen = false
  return {
    print: (stream, text) => void (isOpen ? stream.write(text) : kept.push([stream, text])),
    open: () => {
      isOpen = true
      for (const [stream, text] of kept.splice(0)) stream.write(text)
    },
  }
}

/** Lists of `{ command, isCheck }`. */
const listsOf = (parts) => {
  const lists = [[]]
  for (const [index, part] of parts.entries()) {
    if (part === '+') lists.push([])
    else if (part !== '--check') lists.at(-1).push({ command: part, isCheck: parts[index - 1] === '--check' })
  }
  return lists
}

const sums = { passed: 0, failed: 0 }
/** The output of the list whose check failed. */
let broken
let tellBroken
const isBroken = new Promise((resolve) => {
  tellBroken = resolve
})

const runList = async (commands, output) => {
  for (const { command, isCheck } of commands) {
    if (broken !== undefined) return
    output.print(process.stdout, `\n== ${command}\n`)
    const { code, passed, failed } = await runCommand(command, output.print)
    if (broken !== undefined) return
    if (!isCheck) {
      sums.passed += passed
      sums.failed += failed
    } else if (code !== 0) {
      broken = output
      stopAll()
      tellBroken()
    }
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    stopAll()
    process.stdout.write(`\nStopped by ${signal} before the end.\n`)
    process.kill(process.pid, signal)
  })
}

const lists = listsOf(process.argv.slice(2)).map((commands) => {
  const output = createOutput()
  return { output, hasChecksOnly: commands.length > 0 && commands.every(({ isCheck }) => isCheck), ended: runList(commands, output) }
})
for (const { output, ended } of lists) {
  if (broken === undefined) output.open()
  await Promise.race([ended, isBroken])
}
if (broken !== undefined) {
  broken.open()
  process.stdout.write('\n0 passed, 1 failed\n')
  // Does not wait for a process that takes its time to stop.
  process.exit(1)
}
if (sums.passed === 0 && sums.failed === 0 && !lists.every(({ hasChecksOnly }) => hasChecksOnly)) sums.failed = 1
process.exitCode = sums.failed === 0 ? 0 : 1
if (sums.passed + sums.failed > 0) process.stdout.write(`\n${sums.passed} passed, ${sums.failed} failed\n`)
