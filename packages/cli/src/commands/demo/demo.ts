/** `hermes demo`: the loop in half a minute, without a key, a home or a network. */
import { defineCommand } from '../../command.ts'
import { cleanText } from '../../terminal/clean-text.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { wrapText } from '../../terminal/text-width.ts'
import { type DemoStep, playDemo } from './play-demo.ts'

const INDENT = 4

const line = (mark: string, text: string, { columns }: Terminal): string => `  ${mark} ${wrapText(cleanText(text), columns, INDENT)}\n`

const renderStep = ({ title, said, shows }: DemoStep, index: number, terminal: Terminal): string =>
  [
    `\n${terminal.paint.bold(`${index + 1}. ${title}`)}\n`,
    ...said.map((text) => terminal.paint.dim(line('›', text, terminal))),
    ...shows.map((text) => line(' ', text, terminal)),
  ].join('')

const INTRODUCTION =
  'A script plays the model and believes all that it reads. The rest is what your app would run, in memory: nothing is written to this machine.'
const NEXT = "'hermes init' prints what your app adds, 'hermes connect' puts it into a coding agent."

export const demoCommand = defineCommand({
  describe: 'Show the loop in a few seconds, without a key: teach, review, a new session knows, a hostile page is held, why, undo.',
  examples: [
    ['hermes demo', 'what Hermes does'],
    ['hermes demo --json', 'the steps, for programs'],
  ],
  withoutConfig: true,
  forAll: true,
  withoutHome: true,
  run: async () => {
    const steps = await playDemo()
    return {
      value: { steps },
      text: (terminal) =>
        [
          `${wrapText(INTRODUCTION, terminal.columns, 0)}\n`,
          ...steps.map((step, index) => renderStep(step, index, terminal)),
          `\n${wrapText(NEXT, terminal.columns, 0)}\n`,
        ].join(''),
    }
  },
})
