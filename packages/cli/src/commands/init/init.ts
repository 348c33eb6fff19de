/** `hermes init`: writes a config.yaml with every setting as a comment, and says what an app adds. */
import { join, resolve } from 'node:path'
import { UNCHANGED, updateDocument } from '@hermes/core/storage'
import { failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { oneLine } from '../../terminal/clean-text.ts'
import { hint } from '../../terminal/field-list.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { wrapText } from '../../terminal/text-width.ts'
import { configTemplate } from './config-template.ts'
import { type DetectedApp, detectApp } from './detect-app.ts'
import { NO_FRAMEWORK, withHome } from './frameworks.ts'

const CONFIG = 'config.yaml'

/** Whether it was written; a file that is there stays as it is. */
const writeConfig = async ({ root }: Context) => {
  let isNew = false
  const written = await updateDocument(root, CONFIG, (current) => {
    isNew = current === undefined
    return isNew ? new TextEncoder().encode(configTemplate()) : UNCHANGED
  })
  return written.ok ? ({ ok: true, value: isNew } as const) : written
}

const describeApp = ({ packageJson, framework, tooOld }: DetectedApp): string => {
  if (framework) return `This app uses ${framework.name} (${framework.dependency} ${framework.version}).`
  if (tooOld) return `This app uses ${tooOld.dependency} ${tooOld.version}; the adapter needs version ${tooOld.since} or newer.`
  if (packageJson)
    return 'The package.json here names neither ai, langchain nor @langchain/core. An agent without a framework uses @hermes/core.'
  return 'There is no package.json here: run this in the folder of your app, or name it with --app. There are adapters for the AI SDK, also in Next.js, for LangChain and for LangGraph.'
}

/** Undefined without a package.json, and for a framework that is too old. With the default home, the lines are those of the README. */
const stepsFor = ({ framework, tooOld, packageJson, install }: DetectedApp, { home, world }: Context) => {
  const found = framework ?? (packageJson === undefined || tooOld ? undefined : NO_FRAMEWORK)
  if (!found) return undefined
  const lines = home === join(world.userHome, '.hermes') ? found.lines : withHome(found.lines, home)
  return { install: `${install} ${found.packages.join(' ')}`, lines, readme: found.readme }
}

/** Code is not wrapped, so that it can be copied. */
const renderApp = (app: DetectedApp, steps: ReturnType<typeof stepsFor>, { columns, paint }: Terminal): string => {
  const head = `${wrapText(oneLine(describeApp(app)), columns)}\n`
  if (!steps) return head
  const code = steps.lines.map((line) => `  ${paint.bold(line)}\n`).join('')
  const model = app.framework ? 'Keep the provider and the model of your app. ' : ''
  const more = hint(`${model}Complete examples are in the README of @hermes/${steps.readme}.`, { columns, paint })
  return `${head}\nInstall:\n  ${paint.bold(steps.install)}\n\nAdd:\n${code}\n${more}`
}

export const initCommand = defineCommand({
  describe: 'Write a config.yaml with every setting as a comment, and print what an app adds for its framework.',
  examples: [
    ['hermes init', 'in the folder of an app; a config.yaml that exists stays as it is'],
    ['hermes init --app ../shop --home /var/lib/shop', 'for another app and another home'],
    ['hermes init --print', 'only print the config.yaml'],
  ],
  withoutConfig: true,
  withoutHome: true,
  forAll: true,
  options: (parser) =>
    parser
      .option('app', { type: 'string', requiresArg: true, describe: 'the folder of the app; default: this folder' })
      .option('print', { type: 'boolean', describe: 'print the config.yaml and write nothing' }),
  run: async ({ app, print: isPrint = false }, context) => {
    if (isPrint) {
      const config = configTemplate()
      return { value: { config }, text: () => config }
    }
    const written = await writeConfig(context)
    if (!written.ok) return failed(written.error)
    const path = `${context.home}/${CONFIG}`
    const detected = await detectApp(resolve(app ?? '.'))
    const told = written.value
      ? `Wrote ${path}: every setting with its default, as a comment.`
      : `${path} exists already and stays as it is.`
    const { framework, packageJson, tooOld } = detected
    const steps = stepsFor(detected, context)
    return {
      value: {
        path,
        written: written.value,
        packageJson,
        framework: framework && { dependency: framework.dependency, version: framework.version },
        tooOld,
        install: steps?.install,
        lines: steps?.lines,
      },
      text: (terminal) => `${wrapText(oneLine(told), terminal.columns)}\n\n${renderApp(detected, steps, terminal)}`,
    }
  },
})
