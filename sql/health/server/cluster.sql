-- Whether the cursors of the log are valid in this database cluster.
select 'problem' as level, 'the log was created in another database cluster, or this cluster was restored to an earlier state' as what,
       'its cursors are not valid in this cluster, so no message can be claimed' as why, 'after logical replication drop the subscription first; then: postrider rebase' as todo
where not postrider.is_home() or postrider.log_is_ahead()
