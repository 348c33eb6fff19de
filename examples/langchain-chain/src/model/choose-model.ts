/** OpenAI where there is a key, the scripted stand-in otherwise; `PROMPTS` names a file that gets every prompt as one JSON line. */
import { ScriptedModel } from '@hermes/example-scripted-model/langchain'
import { ChatOpenAI } from '@langchain/openai'
import { promptRecorder } from './prompt-recorder.ts'

const DEFAULT_MODEL = 'gpt-5-mini'

export const chooseModel = (): ChatOpenAI | ScriptedModel => {
  const { OPENAI_API_KEY: key, OPENAI_MODEL: name = DEFAULT_MODEL, PROMPTS: file } = process.env
  const model = key === undefined || key === '' ? new ScriptedModel({}) : new ChatOpenAI({ model: name, apiKey: key })
  if (file !== undefined && file !== '') model.callbacks = [promptRecorder(file)]
  return model
}
