/** 200 while the process is running. */
export const loader = () => new Response('ok\n', { headers: { 'Cache-Control': 'no-store' } })
