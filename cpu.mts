import {openDatabase} from '#db/engine/client.ts'
import {searchProducts} from '#server/search/search-products.ts'
import {suggestProducts} from '#server/search/suggest-products.ts'
const db=openDatabase(process.env.DB ?? 'sqlite:/var/tmp/se/full.sqlite',console.error)
const sets:Record<string,string[]>={prefix:['ib','met','liso','ator','amox','s','para','hydro'],exact:['ibuprofen','metformin','lipitor','sertraline'],words:['metformin 500 mg tablet','acyclovir 800 mg tablet','sertraline 100mg'],
 repaired:['metfromin','ibuprofin','sertralnie'],two:['miglitilol','ropirinole','ciprofloxin','hydroclorothiazid','atorvstatine'],
 relaxed:['humira pen','blood pressure pills lisinopril','metformin for diabetes','gabapentin for nerve pain','cheap sildenafil online without prescription','zolpidem sleeping pills'], both:['metfromin for diabetes','ciprofloxin 500 infection','blood pressure pills lisinoprill'], nothing:['xyzzyq wwww','blood pressure pills','one two three four five six seven eight nine ten eleven twelve','abcdefgh ijklmnop qrstuvwx bcdfghjk lmnpqrst zzyyxxww aabbccdd eeffgghh iijjkkll mmnnoopp qqrrsstt uuvvwwxx']}
for (const f of ['search','suggest'] as const) for (const [k,qs] of Object.entries(sets)) {
 const run=async(q:string)=> f==='search'? searchProducts({db} as any,{q}) : suggestProducts({db} as any,q)
 for (let i=0;i<30;i++) for (const q of qs) await run(q)
 const n=Math.max(20,Math.floor(200/qs.length)); const c=process.cpuUsage(); 
 for (let i=0;i<n;i++) for (const q of qs) await run(q)
 const u=process.cpuUsage(c); console.log(f,k,((u.user+u.system)/1000/(n*qs.length)).toFixed(2))
}
await db.destroy()
