import { createContext, useContext } from 'react'

export const densities = { comfortable: 'Comfortable', compact: 'Compact' } as const
export type Density = keyof typeof densities

type DensityChoice = { density: Density; setDensity: (density: Density) => void }

/** How high the rows of all grids are. The frame provides it, from a cookie. */
export const DensityContext = createContext<DensityChoice>({ density: 'comfortable', setDensity: () => {} })

export const useDensity = (): DensityChoice => useContext(DensityContext)

/** A row's height in pixels, as admin.css sets it: rows outside the viewport are not measured. */
export const rowHeights: Readonly<Record<Density, number>> = { comfortable: 46, compact: 34 }
