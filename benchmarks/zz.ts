import { measure } from './learning/measure.ts'
import { SCENARIOS } from '../packages/cli/src/commands/eval/scenario.ts'
const m: any = await measure(SCENARIOS.filter((s: any) => s.id === 'a-week-of-tool-work'))
const walk=(v:any,d=0)=>{ if(d>5||v===null||typeof v!=='object')return; if(Array.isArray(v)){v.forEach(x=>walk(x,d+1));return} if(JSON.stringify(v).length<900 && /"lost"/.test(JSON.stringify(v))) console.log(JSON.stringify(v)); else Object.values(v).forEach(x=>walk(x,d+1)) }
walk(m)
