import { partOf } from '../support/parts.ts';
import { testStories } from './play-stories.ts';
import { STORIES } from './stories.ts';

// A window of today. CI plays half of the stories each day, and every story in 80 columns.
testStories({ columns: 120, rows: 40 }, process.env['CI'] === undefined ? STORIES : partOf(STORIES, 2));
