/** 200 while the process lives. */
export const loader = () => new Response('ok\n', { headers: { 'Cache-Control': 'no-store' } })
