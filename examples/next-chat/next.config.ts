import type { NextConfig } from 'next'

process.env['NEXT_TELEMETRY_DISABLED'] ??= '1'

// The compiler of this repository has no API that Next.js can call; `pnpm typecheck` checks the types.
export default {
  typescript: { ignoreBuildErrors: true },
  // The stand-in comes as TypeScript.
  transpilePackages: ['@hermes/example-scripted-model'],
} satisfies NextConfig
