/**
 * The layers of packages/core/src, lowest first, and the lint rule that is generated from them. A file may import from its own folder and
 * the layers below it; folders of one layer never import each other. Type imports count, and so does `import('…')`.
 * To add a folder, add it here and run `node scripts/lint/core-layers.ts && biome format --write scripts/lint`, which writes
 * core-layers.grit.
 */
import { writeFileSync } from 'node:fs'

const LAYERS: readonly (readonly string[])[] = [
  ['shared'],
  ['storage', 'model', 'text', 'threats'],
  ['homes', 'memory', 'usage'],
  ['skills'],
  ['proposal', 'ownership', 'config'],
  ['gate', 'journal', 'evaluation'],
  ['nudge', 'queue', 'provider', 'review', 'tools', 'curator'],
  ['session'],
  ['erasure', 'portability'],
]

/** Folders above the files at the top of src: each may import everything except the later ones. */
const ABOVE = ['adapter', 'entries']

/** Folders inside a folder, which may import each other. */
const INNER: Readonly<Record<string, readonly string[]>> = {
  storage: ['files'],
  memory: ['archive'],
  skills: ['archive', 'front-matter', 'patch'],
  threats: ['credentials'],
  review: ['apply', 'propose', 'prompts'],
  curator: ['merge'],
}

const either = (names: readonly string[]): string => `(?:${names.join('|')})`

const layerRule = (folders: readonly string[], below: readonly string[]): string => {
  const inner = folders.flatMap((folder) => INNER[folder] ?? [])
  const conditions = [
    `$filename <: r".*/src/${either(folders)}/.*"`,
    '$source <: r".(?:\\.\\./)+[^./]+/.*"',
    ...(below.length > 0 ? [`! $source <: r".(?:\\.\\./)+${either(below)}/.*"`] : []),
    ...(inner.length > 0 ? [`! $source <: r".(?:\\.\\./)+${either(inner)}/.*"`] : []),
  ]
  return `      and { ${conditions.join(', ')} }`
}

/** The rule for files one, two and three folders deep. */
const topRule = (depth: number): string =>
  `          and { $filename <: r".*/src/${'[^/]+/'.repeat(depth)}[^/]+", $source <: r".(?:\\.\\./){${depth}}[^/]+" }`

const aboveRule = (folder: string, index: number): string =>
  `      and { $filename <: r".*/src/${folder}/.*", $source <: r".(?:\\.\\./)+${either(ABOVE.slice(index + 1))}/.*" }`

export const renderLayers = (): string => {
  const all = LAYERS.flat()
  const rules = LAYERS.map((folders, index) => layerRule(folders, LAYERS.slice(0, index).flat()))
  return `language js(typescript)

// Made by core-layers.ts, which holds the table of layers: change it there.
or {
  or { JsModuleSource() as $source, \`import($source)\` } where {
    $filename <: r".*/core/src/.*",
    or {
${rules.join(',\n')},
      // The files at the top of src may import every layer. Above them are adapter and entries.
      and { $filename <: r".*/src/[^/]+", $source <: r".\\./${either(ABOVE)}/.*" },
${ABOVE.slice(0, -1).map(aboveRule).join(',\n')},
      // A folder without a layer may import nothing.
      and { ! $filename <: r".*/src/${either([...all, ...ABOVE])}/.*", $source <: r".\\.\\./.*" },
      and {
        ! $filename <: r".*/src/${either(ABOVE)}/.*",
        or {
${[1, 2, 3].map(topRule).join(',\n')}
        }
      }
    },
    register_diagnostic(span=$source, message="This import goes up or sideways: layers point downward only, see scripts/lint/core-layers.ts.", severity="error")
  },
  JsModuleSource() as $source where {
    $source <: r".node:.*",
    ! $filename <: r".*/src/storage/files/.*",
    register_diagnostic(span=$source, message="Core runs on edge: node: belongs to storage/files.", severity="error")
  },
  \`import($source)\` where {
    ! $source <: r"^['\\"].*['\\"]$",
    register_diagnostic(span=$source, message="Import files by a literal name, so that the layers can be checked.", severity="error")
  },
  TsImportType() as $found where {
    register_diagnostic(span=$found, message="Import types with a statement, so that the layers can be checked.", severity="error")
  }
}
`
}

if (import.meta.main) writeFileSync(new URL('core-layers.grit', import.meta.url), renderLayers())
