"""/etc/cardprice/cardprice-patroni.py: starts Patroni with one correction.

A primary without etcd demotes itself in a thread. If PostgreSQL takes longer to stop than etcd to fail
again, Patroni 3.0.2 demotes it a second time meanwhile. Of the two starts that follow, one fails. Patroni
takes the server for a failed one from then on, even when it is the primary again, and does not have its
commits wait for a standby (https://github.com/patroni/patroni/issues/3649).
"""
from patroni import ha
from patroni.__main__ import main

DEMOTING = 'demoting self because DCS is not accessible and I was a leader'

handle_dcs_error = ha.Ha._handle_dcs_error


def handle_dcs_error_once(self):
    if self._async_executor.scheduled_action == DEMOTING:
        return DEMOTING
    return handle_dcs_error(self)


ha.Ha._handle_dcs_error = handle_dcs_error_once

if __name__ == '__main__':
    main()
