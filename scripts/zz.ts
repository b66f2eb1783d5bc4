import { openDatabase } from '#db/engine/client.ts'
import { migrate } from '#db/engine/migrate.ts'
import { seedDemo } from '#db/seed/demo.ts'
import { importCareLists } from '#server/screening/import-care-lists.ts'
const db = openDatabase(process.env.DATABASE_URL!, console.error)
await migrate(db)
let c = process.cpuUsage()
await seedDemo(db)
let d = process.cpuUsage(c); console.log('seed cpu', (d.user + d.system) / 1e3)
c = process.cpuUsage(); const t = Date.now()
await importCareLists(db, { folder: 'db/seed/care', committedFolder: 'db/seed/care', now: new Date() })
d = process.cpuUsage(c); console.log('care cpu', (d.user + d.system) / 1e3, 'wall', Date.now() - t)
await db.destroy()
