/** Gemini CLI as a library, in a home of its own, in the mode that allows each edit, as somebody would who is asked for each. */
import { appendFile, mkdir, readdir } from 'node:fs/promises'
import { ApprovalMode, AuthType, Config, createPolicyEngineConfig, startMemoryService } from '@google/gemini-cli-core'

export const MODEL = 'gemini-2.5-pro'

export const openConfig = async (folder: string, url: string, sessionId: string): Promise<Config> => {
  process.env['GEMINI_CLI_HOME'] = folder
  const targetDir = `${folder}/project`
  await mkdir(targetDir, { recursive: true })
  const approvalMode = ApprovalMode.YOLO
  const policyEngineConfig = await createPolicyEngineConfig({}, approvalMode, undefined, true)
  const options = { approvalMode, policyEngineConfig, experimentalAutoMemory: true, trustedFolder: true, usageStatisticsEnabled: false }
  // The scripted model says similar things again and again, which the program would take for a loop.
  const place = { sessionId, targetDir, cwd: targetDir, model: MODEL, debugMode: false, interactive: false, disableLoopDetection: true }
  const config = new Config({ ...options, ...place })
  await config.initialize()
  await config.refreshAuth(AuthType.USE_GEMINI, 'none', url)
  return config
}

export const chatsOf = (config: Config): string => `${config.storage.getProjectTempDir()}/chats`

const IDLE_MS = 4 * 60 * 60 * 1_000

/** Auto Memory, which the next start of the program runs in the background. The sessions are made four hours older, since it takes those that are idle for three. */
export const learnFromSessions = async (config: Config): Promise<void> => {
  const lastUpdated = new Date(Date.now() - IDLE_MS).toISOString()
  for (const file of await readdir(chatsOf(config)))
    await appendFile(`${chatsOf(config)}/${file}`, `${JSON.stringify({ $set: { lastUpdated } })}\n`)
  await startMemoryService(config)
}
