import { ContentPage } from '../../components/ContentPage.tsx'
import { pageMeta } from '../../render/page-meta.ts'
import type { Route } from './+types/blog'
import { blogPosts, type BlogPost } from './blog-posts.ts'

export const meta = (args: Route.MetaArgs) =>
  pageMeta(args, {
    title: 'Blog',
    description:
      'Short reads about medicines: brand and generic, storing medicines, and the numbers on a package.',
  })

export default function Blog() {
  return (
    <ContentPage
      title="Blog"
      lead="Short reads about medicines: what they are, how to store them, and how to tell them apart."
    >
      <ul className="grid gap-5 md:grid-cols-2">
        {blogPosts.map((post, index) => (
          <Post key={post.title} post={post} featured={index === 0} />
        ))}
      </ul>
      <p className="mt-10 border-t border-line pt-6 text-center text-lg text-muted">
        More articles coming soon!
      </p>
    </ContentPage>
  )
}

const dateFormat = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})

/** The newest post spans the page, with its picture next to the text. */
const Post = ({ post, featured }: { post: BlogPost; featured: boolean }) => (
  <li className={featured ? 'md:col-span-2' : ''}>
    <article
      className={`card flex h-full flex-col overflow-hidden ${featured ? 'md:grid md:grid-cols-2 md:items-center' : ''}`}
    >
      <div className={`tile ${featured ? 'h-full' : ''}`}>
        <img
          src={post.image}
          alt={post.imageAlt}
          width={640}
          height={360}
          loading={featured ? 'eager' : 'lazy'}
          className="w-full"
        />
      </div>
      <div className={featured ? 'p-5 sm:p-6 lg:p-10' : 'p-5 sm:p-6'}>
        <p className="flex flex-wrap items-center gap-x-3 text-sm">
          <span className="font-semibold text-primary">{post.category}</span>
          <time dateTime={post.date} className="text-muted">
            {dateFormat.format(new Date(post.date))}
          </time>
        </p>
        <h2 className={`mt-2 ${featured ? 'text-xl' : 'text-lg'}`}>{post.title}</h2>
        <p className="mt-2 text-muted">{post.excerpt}</p>
      </div>
    </article>
  </li>
)
