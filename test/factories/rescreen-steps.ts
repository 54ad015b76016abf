import { rescreenActivities, type RescreenDeps } from '../../activities/sanctions/rescreen-open.ts';
import { openAddedIndexes } from '../../sanctions-index/added-indexes.ts';
import type { TestApi } from '../api-client.ts';

/** The activity that compares what is open with a new version of a list, on the database of the API. */
export function rescreenSteps(api: TestApi, overrides: Partial<RescreenDeps> = {}) {
  return rescreenActivities({
    db: api.db,
    now: () => new Date(),
    notifyWorkflows: () => undefined,
    addedIndexes: openAddedIndexes(api.config.DATABASE_URL),
    ...overrides,
  });
}
