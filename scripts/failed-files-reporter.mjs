// A vitest reporter for scripts/run-tests.mjs: writes which files failed, with their project, to the file that the environment
// names. vitest's own JSON report has neither the project of a file nor errors outside of tests, which fail a run as well.
import { writeFileSync } from 'node:fs';

export const reportVariable = 'SLIPWAY_TEST_REPORT';

export default class FailedFilesReporter {
  onTestRunEnd(testModules, unhandledErrors, reason) {
    const path = process.env[reportVariable];
    if (path === undefined) return;
    const failed = testModules.filter(
      (module) => module.state() === 'failed' || unhandledErrors.some((error) => fileOf(error) === module.moduleId),
    );
    const report = {
      reason,
      files: failed.map((module) => ({ file: module.moduleId, project: module.project.name })),
      // Nothing can be run again for an error that belongs to no file.
      errors: unhandledErrors.filter((error) => fileOf(error) === undefined).map((error) => error.message),
    };
    writeFileSync(path, JSON.stringify(report));
  }
}

/** The test file that ran when the error was thrown. */
function fileOf(error) {
  return error.VITEST_TEST_PATH;
}
