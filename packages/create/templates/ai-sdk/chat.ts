/** npm start "Remember that we deploy with Kamal.", and then: npm start "What do we deploy with?" Each start is a conversation of its own. */
import { hermesTools, withHermes } from '@hermes/ai-sdk'
import { createHermes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { generateText, stepCountIs } from 'ai'
import { chosenModel } from './model.ts'

const hermes = createHermes({ storage: fileSystemBackend(process.env['HERMES_HOME'] ?? './memory') })
const session = hermes.session()
const model = withHermes(chosenModel, session)

const prompt = process.argv[2] ?? 'What do you know about me?'
const { text } = await generateText({ model, tools: hermesTools(session), stopWhen: stepCountIs(5), prompt })
console.log(text)

await session.end() // the conversation is over: learns from it, from three turns on
